package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.request.Job;
import java.util.List;

/** A job with tasks that wait, by number. */
public record PendingJob(Job job, List<Integer> tasks) {}
