import {notify} from '../../actions/notify.ts';
import {localProfile, type ProfileEntry} from '../../domain/accounts/profile.ts';
import {popDialog, pushDialog} from '../../state/view/dialogs.ts';
import {askToConfirm, setView, type View} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {bindingsIn, bindingsOf, type Enabled, type Now} from '../keys/binding.ts';
import {inViews, inViewsAndWelcome} from '../keys/key-contexts.ts';
import {whenDown} from '../keys/reasons.ts';
import {askToOpen} from '../quit.ts';
import {strings as screenStrings} from '../strings.ts';
import type {AppParts} from '../use-app.ts';
import {connectForm, editProfileForm, replaceKeyForm} from './form/connect-forms.ts';
import {openForm} from './form/open-form.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';
import {changeDialog, topDialog} from './list-layer.ts';

const nameWidth = 18;
/** Minimum columns of an address; narrower ones are left out. */
const minAddressWidth = 16;

/** Profiles to switch to; the active one is marked. */
export const profilesDialog: ListModule<'profiles', ProfileEntry> = listDialog({
	kind: 'profiles',
	choose: 'open-profile',
	rows: ({entries}) => entries,
	lines:
		(_, width, {profile}) =>
		entry =>
			entryLine(entry, entry.name === profile.name, width),
	title: () => [span(safe`Profiles`, 'heading')],
	hasMark: true,
});

function entryLine(entry: ProfileEntry, isOpen: boolean, width: number): Line {
	const open = entry.isUnsaved ? safe`open, from environment` : safe`open`;
	const state = isOpen ? open : keyText(entry);
	const end = entry.isDefault ? safe`${state} · default` : state;
	const mark = span(isOpen ? safe`● ` : safe`  `, 'good');
	const name = (columns: number) =>
		span(pad(cutEnd(cleanLine(entry.name), columns), columns), isOpen ? 'strong' : 'text');
	const tail = [span(safe` `), span(end, isOpen ? 'good' : 'dim')];
	const room = width - nameWidth - end.length - 4;
	if (room < minAddressWidth) return [mark, name(Math.max(4, width - end.length - 3)), ...tail];
	const whole = safe`embedded service on this machine`;
	const embedded = room < textWidth(whole) ? safe`embedded service` : whole;
	const address = entry.isLocal ? embedded : cleanLine(entry.address ?? '', 400);
	return [mark, name(nameWidth), span(safe` `), span(pad(cutEnd(address, room), room), 'dim'), ...tail];
}

function keyText({keyFrom, isLocal}: ProfileEntry): Safe {
	if (isLocal) return safe`needs no key`;
	return keyFrom ? safe`key: ${cleanLine(keyFrom)}` : safe`key not set`;
}

function entryAt(view: View): ProfileEntry | undefined {
	const dialog = topDialog(view, 'profiles');
	return dialog?.entries[dialog.index];
}

/** A reason that concerns the profile at the cursor; none without one. */
const whereEntry =
	(check: (entry: ProfileEntry, isCurrent: boolean) => Enabled) =>
	({parts, view}: Now): Enabled => {
		const entry = entryAt(view);
		return entry === undefined || check(entry, entry.name === parts.profile.name);
	};

/** Whether the key can be replaced here: that of the profile at the cursor, or of the open one. */
const canReplaceKey = ({parts, view}: Now): Enabled => {
	const {keyFrom} = (topDialog(view, 'profiles') ? entryAt(view) : parts.profile) ?? {};
	if (keyFrom === 'environment')
		return 'The key comes from QUARTERDECK_API_KEY: change it there, and start again';
	return keyFrom === 'file' || 'Only a key stored in a file can be replaced here';
};

const replaceKey = {action: 'replace-key', keys: ['K'], isEnabled: canReplaceKey} as const;

const isKeyRefused = ({parts}: Now): boolean => parts.stores.connection.getState().state === 'unauthorized';

const {embedded, unsaved, isOpen, leaveFirst} = screenStrings.profiles;

export const profileBindings = bindingsOf([
	{
		action: 'profiles',
		keys: ['P'],
		title: 'Profiles: switch to another service',
		...whenDown('profiles'),
		contexts: inViewsAndWelcome,
		run: parts => void showProfiles(parts),
	},
	{
		...replaceKey,
		title: "Replace the key of the profile's service",
		hintNow: now => (isKeyRefused(now) ? 'replace key' : undefined),
		isFirst: isKeyRefused,
		contexts: inViews,
		run(parts) {
			openForm(parts, replaceKeyForm(parts.profile));
		},
	},
	...bindingsIn({contexts: ['profiles']}, [
		{
			action: 'open-profile',
			keys: ['enter'],
			title: 'Open the profile; drafts and queued messages stay with the current one',
			hint: 'open',
			isEnabled: whereEntry((_, isCurrent) => !isCurrent || isOpen),
			isPaletteHidden: true,
			run: profilesDialog.onRow((parts, {name}) => {
				setView(parts.view, popDialog);
				askToOpen(parts, name);
			}),
		},
		{
			action: 'edit-profile',
			keys: ['e'],
			title: 'Change the address, key or name of the profile',
			hint: 'edit',
			isEnabled: whereEntry(({isUnsaved, isLocal}) => (isUnsaved ? unsaved : !isLocal || embedded)),
			run: profilesDialog.onRow(editProfile),
		},
		{
			...replaceKey,
			title: 'Replace the key of the profile, if it is stored in a file',
			hint: 'replace key',
			run: profilesDialog.onRow((parts, profile) => {
				setView(parts.view, popDialog);
				openForm(parts, replaceKeyForm(profile));
			}),
		},
		{
			action: 'remove-profile',
			keys: ['x'],
			title: "Remove the profile; its account's data stays",
			hint: 'remove',
			isEnabled: whereEntry(({name}, isCurrent) =>
				isCurrent ? leaveFirst : name !== localProfile || embedded,
			),
			run: profilesDialog.onRow((parts, {name}) =>
				askToConfirm(parts.view, {
					title: `Remove the profile ${name}?`,
					text: 'This deletes its settings, and its key if you typed it here. Its data stays on this machine.',
					yes: () => void removeProfile(parts, name),
				}),
			),
		},
		{
			action: 'default-profile',
			keys: ['d'],
			title: 'Make the profile the default, or take that back',
			hint: 'default',
			run: profilesDialog.onRow(makeDefault),
		},
		{
			action: 'connect-another',
			keys: ['c', 'n'],
			title: 'Connect to another service as a new profile',
			hint: 'connect another',
			run(parts) {
				const takenNames = topDialog(parts.view.getState(), 'profiles')?.entries.map(({name}) => name) ?? [];
				setView(parts.view, popDialog);
				openForm(parts, connectForm(takenNames));
			},
		},
	]),
]);

async function editProfile(parts: AppParts, {name}: ProfileEntry): Promise<void> {
	const draft = await parts.program.profiles.draftOf(name);
	if (!draft.isDone) return notify(parts.actions, 'bad', draft.what);
	const names = topDialog(parts.view.getState(), 'profiles')?.entries.map(entry => entry.name);
	// The list was closed meanwhile, or the profile removed.
	if (!names?.includes(name)) return;
	setView(parts.view, popDialog);
	const takenNames = names.filter(other => other !== name);
	openForm(parts, editProfileForm(draft.value, takenNames));
}

/** Removes a profile, also from the list below the question. */
async function removeProfile(parts: AppParts, name: string): Promise<void> {
	const removed = await parts.program.profiles.remove(name);
	if (!removed.isDone) return notify(parts.actions, 'bad', removed.what);
	notify(parts.actions, 'good', screenStrings.profiles.removed(removed.value));
	await listAgain(parts);
}

async function makeDefault(parts: AppParts, {name, isDefault}: ProfileEntry): Promise<void> {
	const made = await parts.program.profiles.makeDefault(isDefault ? undefined : name);
	if (!made.isDone) return notify(parts.actions, 'bad', made.what);
	const {madeDefault, noDefault} = screenStrings.profiles;
	notify(parts.actions, 'good', isDefault ? noDefault : madeDefault(name));
	await listAgain(parts);
}

/** Updates the open list of profiles after a change. */
async function listAgain(parts: AppParts): Promise<void> {
	const listed = await parts.program.profiles.list();
	if (!listed.isDone) return notify(parts.actions, 'bad', listed.what);
	const entries = listed.value;
	changeDialog(parts.view, 'profiles', dialog => ({
		...dialog,
		entries,
		index: Math.min(dialog.index, entries.length - 1),
	}));
}

async function showProfiles(parts: AppParts): Promise<void> {
	const {dialogs} = parts.view.getState();
	const listed = await parts.program.profiles.list();
	if (!listed.isDone) return notify(parts.actions, 'bad', listed.what);
	// Another dialog may be open by now, such as this one after two presses.
	if (parts.view.getState().dialogs !== dialogs) return;
	const entries = listed.value;
	const index = Math.max(
		0,
		entries.findIndex(({name}) => name === parts.profile.name),
	);
	setView(parts.view, view => pushDialog(view, {kind: 'profiles', entries, index}));
}
