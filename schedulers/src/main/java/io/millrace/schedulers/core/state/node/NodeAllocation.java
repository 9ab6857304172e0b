package io.millrace.schedulers.core.state.node;

/** What a run or a proposal holds of one node; amounts by resource number. */
public record NodeAllocation(NodeState node, int chunks, long[] amounts) {}
