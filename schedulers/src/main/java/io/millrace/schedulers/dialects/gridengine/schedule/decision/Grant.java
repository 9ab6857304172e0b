package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;

/** Slots of one queue instance. */
public record Grant(QueueInstance queue, int slots) {}
