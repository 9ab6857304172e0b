/**
 * Subject run.suspend: runs are suspended, which frees what they held, and resumed.
 *
 * <p>In: SignalJob of an operator ({@link io.millrace.server.core.run.signal}), SuspendRun and
 * ResumeRun of an engine. Out: RunSuspended, RunMadeResumable, RunResumed, and the orders SignalRun
 * to the host.
 *
 * <p>Invariant: a suspended run holds nothing of its nodes and stays on them; it goes on only where
 * all that it held is free again, which its scheduler proposes and this shard checks. What an
 * operator suspended is left alone until somebody asks for it. A run that no engine has charge of
 * any more, since its queue or its partition went elsewhere, goes on by this shard's own word.
 */
package io.millrace.server.core.run.suspend;
