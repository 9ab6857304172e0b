package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;

/** Slots of one queue instance. */
public record Grant(QueueInstance queue, int slots) {}
