/** Levels of the debug log, the most detailed first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];
/** Ids, counts, times in ms, states and error sentences. Never message text, keys or relay URLs. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
export type LogSink = (level: LogLevel, event: string, fields: LogFields) => void;

let sink: LogSink | undefined;

/** Sends entries to `next` from now on; `undefined` turns the log off. It is off at the start. */
export function setLogSink(next: LogSink | undefined): void {
	sink = next;
}

/** Adds an entry to the debug log, if it is on. */
export function log(level: LogLevel, event: string, fields: LogFields = {}): void {
	sink?.(level, event, fields);
}
