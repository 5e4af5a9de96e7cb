"""Contracts: gpuplanner CSV, other tables, exports of clouds and FOCUS."""
