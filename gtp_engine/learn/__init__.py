"""What a game can teach: which moves decided it, and what would have been better."""
