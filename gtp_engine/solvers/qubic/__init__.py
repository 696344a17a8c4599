"""The proof that the first player wins 4x4x4: how it is made, and independently checked."""
