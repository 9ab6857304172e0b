package io.millrace.schedulers.gridengine.language.cluster;

/** Amount of a consumable that slots take at one level. */
public record ConsumableUse(Level level, String container, Complex complex, double amount) {}
