/**
 * Subject job.hold: user, operator and system holds of a job.
 *
 * <p>In: HoldJob, ReleaseJob. Out: JobHeld, JobReleased with all holds after the change.
 *
 * <p>Invariant: a queued job with a hold has status HELD and is not considered by an engine.
 */
package io.millrace.server.core.job.hold;
