/**
 * What a job asks for.
 *
 * <p>Comes in: texts as qsub takes them (-l, -soft, -pe, -t, -q). Goes out: {@link
 * io.millrace.schedulers.gridengine.language.request.GridEngineJob} with amounts, ranges and
 * patterns. Invariant: texts are parsed here once; nothing behind this package reads them again.
 */
package io.millrace.schedulers.gridengine.language.request;
