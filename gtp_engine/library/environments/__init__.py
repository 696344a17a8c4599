"""Environments of PettingZoo and Gymnasium, see library.env."""
