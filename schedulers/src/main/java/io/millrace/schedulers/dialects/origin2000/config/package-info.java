/**
 * The configuration of the Origin2000 dialect: the table of options, its reader and its checks.
 *
 * <p>Comes in: the text. Goes out: a value for each option, or a refusal with file, line and
 * reason. Invariant: what one option says is held against the table alone; what several say
 * together is checked once all are read.
 */
package io.millrace.schedulers.dialects.origin2000.config;
