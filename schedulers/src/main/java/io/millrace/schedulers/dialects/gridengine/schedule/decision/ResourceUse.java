package io.millrace.schedulers.dialects.gridengine.schedule.decision;

/** What an assignment takes of one resource of one container. */
public record ResourceUse(Level level, String container, String resource, double amount) {}
