import {type KeyChoices, noKeyChoices} from '../domain/accounts/key-choices.ts';
import {agentBindings} from './agent-bindings.ts';
import {attentionBindings} from './attention-bindings.ts';
import {composerBindings, draftBindings} from './composer/composer-bindings.ts';
import {computerBindings} from './computers/computer-bindings.ts';
import {answerBindings} from './dialogs/answer/answer-keys.ts';
import {attachmentBindings} from './dialogs/attachments-dialog.tsx';
import {awayBindings} from './dialogs/away-dialog.tsx';
import {blockBindings} from './dialogs/blocks-dialog.tsx';
import {columnBindings} from './dialogs/columns-dialog.tsx';
import {confirmBindings} from './dialogs/confirm-dialog.tsx';
import {detailsBindings} from './dialogs/details-dialog.tsx';
import {dialogBindings} from './dialogs/dialog-bindings.ts';
import {commentBindings, diffBindings} from './dialogs/diff/diff-bindings.ts';
import {formBindings} from './dialogs/form/form-bindings.ts';
import {helpBindings} from './dialogs/help-dialog.tsx';
import {historyBindings} from './dialogs/history-dialog.tsx';
import {hookBindings} from './dialogs/hooks-dialog.tsx';
import {inboxBindings} from './dialogs/inbox-dialog.tsx';
import {linkBindings} from './dialogs/links-dialog.tsx';
import {folderBindings} from './dialogs/new-session/folder-list.ts';
import {keepDraftBindings, newSessionBindings} from './dialogs/new-session/new-session-dialog.tsx';
import {paletteBindings} from './dialogs/palette-dialog.tsx';
import {profileBindings} from './dialogs/profiles-dialog.tsx';
import {quitBindings} from './dialogs/quit-dialog.tsx';
import {searchBindings} from './dialogs/search-dialog.tsx';
import {snoozeBindings} from './dialogs/snooze-dialog.tsx';
import {themeBindings} from './dialogs/themes-dialog.tsx';
import {eventBindings} from './events/event-bindings.ts';
import {filterBindings} from './filter/filter-layer.ts';
import {interruptBindings} from './interrupt.ts';
import type {Binding} from './keys/binding.ts';
import {type KeyMap, keyMapOf} from './keys/key-map.ts';
import {listBindings} from './list-bindings.ts';
import {organizationBindings} from './organization/organization-bindings.ts';
import {retryBindings} from './retry.ts';
import {sendNextBindings} from './send-next.ts';
import {sessionBindings} from './session-bindings.ts';
import {sessionListBindings} from './session-list-bindings.ts';
import {sessionTableBindings} from './sessions/session-table-bindings.ts';
import {splitBindings} from './split-bindings.ts';
import {messageBindings, streamBindings} from './stream/stream-bindings.ts';
import {screenBindings, viewBindings} from './view-bindings.ts';
import {welcomeBindings} from './welcome-bindings.ts';

/**
 * The bindings of all views and dialogs. The footer and the table of `help keys` keep this order, and if two bindings
 * are active at the same time, the first takes precedence.
 */
const table = [
	...streamBindings,
	...sessionTableBindings,
	...folderBindings,
	...newSessionBindings,
	...commentBindings,
	...composerBindings,
	...sendNextBindings,
	...agentBindings,
	...sessionBindings,
	...sessionListBindings,
	...retryBindings,
	...messageBindings,
	...attentionBindings,
	...splitBindings,
	...computerBindings,
	...listBindings,
	...historyBindings,
	...keepDraftBindings,
	...draftBindings,
	...answerBindings,
	...attachmentBindings,
	...awayBindings,
	...blockBindings,
	...columnBindings,
	...confirmBindings,
	...detailsBindings,
	...diffBindings,
	...filterBindings,
	...formBindings,
	...hookBindings,
	...inboxBindings,
	...linkBindings,
	...searchBindings,
	...snoozeBindings,
	...welcomeBindings,
	...eventBindings,
	...organizationBindings,
	...viewBindings,
	...paletteBindings,
	...profileBindings,
	...themeBindings,
	...screenBindings,
	...helpBindings,
	...quitBindings,
	...dialogBindings,
	...interruptBindings,
] as const;

export type BoundAction = (typeof table)[number]['action'];

/** The default bindings; `KeyMap` holds the bindings in force. */
export const bindings: readonly Binding[] = table;

export function createKeyMap(choices: KeyChoices = noKeyChoices): KeyMap {
	return keyMapOf(bindings, choices);
}
