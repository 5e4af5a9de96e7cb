"""What a planner decides in a plan: assumptions, dates, and cards divided or merged."""
