"""What one window works on: document, evaluator, gestures, scenario, time; and where flows lead."""
