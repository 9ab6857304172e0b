/**
 * The texts of Grid Engine's configuration, as tables of options.
 *
 * <p>Comes in: the text of one object in qconf's format. Goes out: {@link
 * io.millrace.schedulers.gridengine.language.options.OptionValues}, or a {@link
 * io.millrace.schedulers.gridengine.language.options.ConfigurationRefused} with file, line, reason
 * and the nearest valid option. Invariant: what a table prints, it parses to the same settings;
 * each option stands in exactly one row, from which parser, printer, explanation and documentation
 * are made.
 */
package io.millrace.schedulers.gridengine.language.options;
