import {type AnalyticsTable, analyticsTable} from './analytics.ts';
import {createConnection} from './connection.ts';
import {openMemory} from './open-file.ts';

/** The same table kept nowhere: for showing what is read when nothing can be written. It goes with the process. */
export function memoryAnalytics(): AnalyticsTable {
	return analyticsTable(createConnection(openMemory(), {now: Date.now}));
}
