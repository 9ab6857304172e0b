package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import io.millrace.schedulers.gridengine.language.cluster.Level;

/** Amount of one resource that an assignment takes at one level. */
public record ResourceUse(Level level, String container, String resource, double amount) {}
