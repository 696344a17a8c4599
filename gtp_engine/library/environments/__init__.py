"""Environments of PettingZoo and Gymnasium."""
