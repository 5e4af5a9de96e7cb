"""What is paid for and what could be bought: contracts, offers, and the prices of both."""
