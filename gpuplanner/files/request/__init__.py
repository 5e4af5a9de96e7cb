"""Requests for quote: files that go to vendors, values alone, and what stands where in them."""
