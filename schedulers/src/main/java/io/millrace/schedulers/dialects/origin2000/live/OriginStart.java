package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schemas.common.NodeShare;

/**
 * A start that is to be proposed.
 *
 * @param number of the job
 * @param share what it gets of the only node on which it runs
 * @param queue in which it runs
 */
public record OriginStart(long number, NodeShare share, String queue) {}
