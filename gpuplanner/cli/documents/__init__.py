"""Answers as JSON documents: each object is written from the fields that are declared for it, and has no other."""
