#!/usr/bin/env bash
# PocketBase's dashboard: create the first superuser, log in, create a collection with two fields, add
# records, find one.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

email=root@example.com
password="correct horse battery"

# Create the first superuser, at the address that the server has printed.
chela open "$1"
chela wait --text "Create your first superuser"
chela type "$(ref 'textbox "Email')" "$email"
chela type "$(ref 'textbox "Password ')" "$password"
chela type "$(ref 'textbox "Password confirm')" "$password"
click "$(ref 'button "Create superuser')"
chela wait --text "New collection"

# Log out, and log in again by the form.
click "$(ref "button \"$email")"
click "$(ref 'button "Logout')"
chela wait --text "Forgotten password"
chela type "$(ref 'textbox "Email')" "$email"
chela type "$(ref 'textbox "Password')" "$password" --submit
chela wait --text "New collection"

# Create a collection with two fields. A new field has the focus, so that its name can be typed.
click "$(ref 'button "New collection')"
chela wait --text "Create collection"
chela type "$(ref 'textbox "Name')" animals
click "$(ref 'button "New field')"
click "$(ref 'button "Plain text')"
chela type "$(ref 'textbox.*\[active\]')" title
click "$(ref 'button "New field')"
click "$(ref 'button "Number')"
chela type "$(ref 'textbox.*\[active\]')" legs
click "$(ref 'button "Create"' 'button "New index')"
chela wait --url '**collection=animals*'

add() {
	click "$(ref 'button "New record')"
	chela wait --text "Create animals record"
	chela type "$(ref 'textbox "title')" "$1"
	chela type "$(ref 'spinbutton "legs')" "$2"
	click "$(ref 'button "Create"' 'spinbutton "legs')"
	chela wait --text "Total: $3"
}
add Homer 10 1
add Sandy 8 2

chela type "$(ref textbox 'button "Search history')" Homer --submit
chela wait --text "Total: 1"
says 'cell "Homer"' 'cell "10"'
