package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.NodeShare;
import java.util.List;

/**
 * A start to propose.
 *
 * @param number of the job that stands for the task
 * @param shares a share for each queue instance, the master's first
 */
public record ProposedStart(long number, List<NodeShare> shares, GridEngineGrant grant) {}
