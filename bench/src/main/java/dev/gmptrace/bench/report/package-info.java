/**
 * From figures to an answer: spreads and paired ratios, tables for people, JSON for machines, and
 * the budgets that say which figures are good enough.
 */
@NullMarked
package dev.gmptrace.bench.report;

import org.jspecify.annotations.NullMarked;
