/**
 * Subject answer: what was answered to commands is remembered, so that none is decided twice.
 *
 * <p>In: the answer of each decision, and a timer. Out: CommandAnswered, AnswersForgotten.
 *
 * <p>Invariant: a command that is sent again within {@code AnswerMemory.KEPT_MS} gets the answer
 * that it got before; an older one is refused.
 */
package io.millrace.server.core.answer;
