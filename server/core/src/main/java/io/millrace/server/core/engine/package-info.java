/**
 * Subject engine: who may schedule what, and what cycles had to say.
 *
 * <p>In: StartEngine, RecordCycle. Out: EngineStarted with a new epoch, CycleRecorded with changed
 * reasons.
 *
 * <p>Invariant: one epoch at a time owns a scheduler object.
 */
package io.millrace.server.core.engine;
