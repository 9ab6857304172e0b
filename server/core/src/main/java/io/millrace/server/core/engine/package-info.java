/**
 * Subject engine: who may schedule what, and what cycles had to say.
 *
 * <p>In: StartEngine, NoteEngine, RecordCycle. Out: EngineStarted with a new epoch, EngineNoted for
 * one that is missed, ended, failed or works again, CycleRecorded with changed reasons.
 *
 * <p>Invariant: one epoch at a time owns a scheduler object.
 */
package io.millrace.server.core.engine;
