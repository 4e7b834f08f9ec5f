import {type AnalyticsTable, analyticsTable} from './analytics.ts';
import {createConnection} from './file/connection.ts';
import {openMemory} from './file/open-file.ts';

/** An in-memory analytics table, for showing fetched data when nothing can be written. */
export function memoryAnalytics(): AnalyticsTable {
	return analyticsTable(createConnection(openMemory(), {now: Date.now}));
}
