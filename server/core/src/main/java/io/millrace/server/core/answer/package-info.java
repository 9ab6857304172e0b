/**
 * Subject answer: what was answered to commands is remembered, so that none is decided twice.
 *
 * <p>In: the answer of each decision, and a timer. Out: CommandAnswered, AnswersForgotten,
 * AnswerRoundEnded.
 *
 * <p>Invariant: a command that is sent again within {@code AnswerMemory.KEPT_MS} gets the answer
 * that it got before, whatever the clock does meanwhile; one whose answer may be forgotten is
 * refused.
 */
package io.millrace.server.core.answer;
