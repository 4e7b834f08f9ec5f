import {join} from 'node:path';

/** The one file that everything of the service in a folder is kept in. */
export function databaseFile(folder: string): string {
	return join(folder, 'service.sqlite');
}
