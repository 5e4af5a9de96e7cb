"""Use of the window: which contract served which demand, by cluster, contract and hour of the week."""
