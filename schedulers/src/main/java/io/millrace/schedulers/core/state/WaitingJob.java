package io.millrace.schedulers.core.state;

import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.state.job.QueuePlace;
import io.millrace.schemas.common.ResourceRequest;

/**
 * A waiting job on its way from one state to another.
 *
 * @param flags whether it is held or on its way to another shard
 * @param once whether it may not be run again
 */
public record WaitingJob(
    QueuePlace place, ResourceRequest request, JobOwner owner, byte flags, boolean once) {}
