package io.millrace.schedulers.dialects.origin2000.config;

import java.time.ZoneId;

/**
 * Where the scheduler runs: what a text leaves open depends on it.
 *
 * @param host of queues that name none, in small letters
 * @param zone of dates and times of day
 */
public record OriginPlace(String host, ZoneId zone) {}
