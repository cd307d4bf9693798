"""Share and Share Alike: players hold shares in secret, and raise and pull down the companies' towers."""
