/**
 * What a campaign gets out of the processors that local jobs leave idle, in virtual time.
 *
 * <p>In comes the schedule of local jobs, which runs as if there were no campaign, a predictor and
 * what the tasks are like; out come the figures of {@link
 * io.millrace.schedulers.campaigns.harvest.HarvestFigures}. The same seed gives the same figures.
 */
package io.millrace.schedulers.campaigns.harvest;
