"""Answers as JSON documents: each object is written from its declared fields."""
