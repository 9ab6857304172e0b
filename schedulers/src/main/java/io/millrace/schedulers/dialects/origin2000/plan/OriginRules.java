package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.calendar.OriginPrimeTime;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;

/**
 * What a scheduler goes by.
 *
 * @param usageFirst whether the file of past usage is read before the jobs are sorted in the first
 *     cycle, so that it counts already there; the original reads it after them
 */
public record OriginRules(
    OriginConfig config, OriginPlace place, OriginHolidays holidays, boolean usageFirst) {

  OriginPrimeTime prime() {
    return new OriginPrimeTime(config, place.zone(), holidays);
  }
}
