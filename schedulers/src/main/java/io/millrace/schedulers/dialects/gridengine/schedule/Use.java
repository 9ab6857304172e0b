package io.millrace.schedulers.dialects.gridengine.schedule;

/** What an assignment takes of one resource of one container. */
public record Use(Level level, String container, String resource, double amount) {}
