package io.millrace.schedulers.simulator;

import io.millrace.schedulers.dialects.origin2000.plan.OriginRules;
import io.millrace.schedulers.dialects.origin2000.usage.InputFile;

/**
 * What an Origin2000 scheduler goes by.
 *
 * @param decayUsage the file of past usage when the simulation begins
 */
public record OriginSite(
    OriginRules rules, InputFile decayUsage, InputFile allocations, InputFile current) {}
