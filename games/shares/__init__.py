"""Share and Share Alike: shares held in secret, towers raised and pulled down by all."""
