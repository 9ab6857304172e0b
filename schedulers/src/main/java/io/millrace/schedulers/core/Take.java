package io.millrace.schedulers.core;

/** What a run or a proposal holds of one node; amounts by resource number. */
record Take(NodeState node, int chunks, long[] amounts) {}
