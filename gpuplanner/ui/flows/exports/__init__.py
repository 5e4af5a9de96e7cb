"""Flows of exports: workbook, requests, board brief and statements."""
