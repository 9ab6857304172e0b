package io.millrace.connectors.bridge.system;

/**
 * Where a run stands in an array of an outside system.
 *
 * @param array mark of the array, which is that of no run
 * @param index of the task
 */
public record OutsideTask(OutsideTag array, long index) {}
