import {notify} from '../../actions/notify.ts';
import type {ProfileEntry} from '../../domain/accounts/profile.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog, pushDialog} from '../../state/dialogs.ts';
import {setView} from '../../state/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import type {Intents} from '../input.ts';
import {askToOpen} from '../quit.ts';
import {strings as screenStrings} from '../strings.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {ChoiceDialog} from './choice-dialog.tsx';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {openFormDialog} from './form/open-form-dialog.ts';
import {choiceLayer} from './list-layer.ts';
import {strings} from './strings.ts';

const nameWidth = 18;
/** Minimum columns of an address; narrower ones are left out. */
const minAddressWidth = 16;
const text = strings.profiles;

/** Profiles to switch to; the active one is marked. */
function ProfilesDialog({dialog, layout}: DialogProps<'profiles'>) {
	const {profile, keys} = useApp();
	return (
		<ChoiceDialog
			layout={layout}
			title={text.title}
			hint={text.keys(
				keys.label('open-profile'),
				keys.label('connect-another'),
				dialog.entries[dialog.index]?.keyFrom === 'file' ? keys.label('replace-key') : undefined,
				keys.label('cancel'),
			)}
			index={dialog.index}
			context="profiles"
			choose="open-profile"
			rows={width => dialog.entries.map(entry => entryLine(entry, entry.name === profile.name, width))}
		/>
	);
}

function entryLine(entry: ProfileEntry, isOpen: boolean, width: number): Line {
	const address = entry.isLocal ? text.embedded : cleanLine(entry.address ?? '', 400);
	const end = isOpen ? text.isOpen : keyText(entry);
	const mark = span(isOpen ? safe`● ` : safe`  `, 'good');
	const name = (columns: number) =>
		span(pad(cutEnd(cleanLine(entry.name), columns), columns), isOpen ? 'strong' : 'text');
	const tail = [span(safe` `), span(end, isOpen ? 'good' : 'dim')];
	const room = width - nameWidth - end.length - 4;
	if (room < minAddressWidth) return [mark, name(Math.max(4, width - end.length - 3)), ...tail];
	return [mark, name(nameWidth), span(safe` `), span(pad(cutEnd(address, room), room), 'dim'), ...tail];
}

function keyText({keyFrom, isLocal}: ProfileEntry): Safe {
	if (isLocal) return text.noKey;
	return keyFrom ? text.keyFrom[keyFrom] : text.keyMissing;
}

function profilesLayer(parts: AppParts, dialog: DialogOf<'profiles'>): KeyLayer {
	const {entries, index} = dialog;
	return choiceLayer(parts, dialog, entries.length, {
		chosen(action) {
			if (action === 'connect-another') {
				setView(parts.view, popDialog);
				openFormDialog(parts, {name: 'connect', takenNames: entries.map(({name}) => name)});
			}
			if (action === 'replace-key') replaceKey(parts, entries[index]);
			if (action !== 'open-profile') return;
			setView(parts.view, popDialog);
			const name = entries[index]?.name;
			if (name !== undefined && name !== parts.profile.name) askToOpen(parts, name);
		},
	});
}

function replaceKey(parts: AppParts, entry: ProfileEntry | undefined): void {
	if (entry?.keyFrom !== 'file') {
		notify(parts.actions, 'info', screenStrings.keyElsewhere);
		return;
	}
	setView(parts.view, popDialog);
	openFormDialog(parts, {name: 'replace-key', profile: entry.name});
}

const intents: Intents = {profiles: parts => void showProfiles(parts)};

async function showProfiles(parts: AppParts): Promise<void> {
	const listed = await parts.program.profiles.list();
	if (!listed.isDone) {
		notify(parts.actions, 'bad', listed.what);
		return;
	}
	const entries = listed.value;
	const index = Math.max(
		0,
		entries.findIndex(({name}) => name === parts.profile.name),
	);
	setView(parts.view, view => pushDialog(view, {kind: 'profiles', entries, index}));
}

export const profilesDialog: DialogModule<'profiles'> = {
	Component: ProfilesDialog,
	layer: profilesLayer,
	intents,
};
