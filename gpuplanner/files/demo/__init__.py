"""The demo: a made-up company's six months, with every situation that makes planning worth doing."""
