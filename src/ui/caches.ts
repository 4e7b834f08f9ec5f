import {createComputerTable} from '../state/computers/computer-columns.ts';
import {createLogMatcher} from '../state/event-log.ts';
import {remember} from '../state/rows/remember.ts';
import {createSessionTable} from '../state/sessions/session-table.ts';
import {RowCache} from '../text/messages/message-rows.ts';
import {composerRows} from './layout-now.ts';
import {createStreamCache} from './stream/stream-now.ts';

/** Results that drawing and keys share: each computed once while its inputs are the same. */
export type Caches = ReturnType<typeof createCaches>;

export function createCaches() {
	return {
		composerRows: remember(composerRows),
		computers: createComputerTable(),
		sessions: createSessionTable(),
		events: createLogMatcher(),
		rows: new RowCache(),
		streams: createStreamCache(),
	};
}
