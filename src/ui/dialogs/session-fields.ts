import type {KnownSession} from '../../domain/known.ts';
import type {Field} from './form-fields.ts';

/** The fields that change a session, with what is known of it now. */
export function sessionFields(known: KnownSession | undefined): Field[] {
	const settings = known?.session?.sessionSettings;
	const isRead = known?.session !== undefined;
	const list = isRead ? 'the list is sent whole' : 'not read yet: what you write takes the place of the list';
	return [
		{
			name: 'name',
			label: 'Name here',
			hint: 'on this machine only: the service takes no new title',
			start: known?.name ?? '',
		},
		{
			name: 'model',
			label: 'Model',
			hint: "the service's own word for it",
			...keptWord(settings?.model, 'model'),
		},
		{
			name: 'specModeModel',
			label: 'Plan model',
			hint: 'used to plan before it acts',
			...keptWord(settings?.specModeModel, 'plan model'),
		},
		{
			name: 'tags',
			label: 'Tags',
			hint: `with commas between; ${list}`,
			start: (settings?.tags ?? []).map(tag => tag.name).join(', '),
		},
		{
			name: 'enabledToolIds',
			label: 'Tools allowed',
			hint: `ids with commas between; ${list}`,
			start: (settings?.enabledToolIds ?? []).join(', '),
		},
		{
			name: 'disabledToolIds',
			label: 'Tools refused',
			hint: `ids with commas between; ${list}`,
			start: (settings?.disabledToolIds ?? []).join(', '),
		},
	];
}

/** A word that can be changed and, in this contract, not be taken away. */
function keptWord(start = '', what: string): Pick<Field, 'start' | 'check'> {
	return {
		start,
		check: value =>
			start !== '' && value.trim() === ''
				? `The service can't unset the ${what}: name another, or keep ${start}`
				: undefined,
	};
}

/** The items of a list as it is typed: at commas, each once. */
export function listOf(text: string): string[] {
	return [...new Set(text.split(',').map(item => item.trim()))].filter(item => item !== '');
}
